# SPDX-License-Identifier: MIT
# cmake -DSOURCE=FOLDER -DFILES=NAME;.. -P copy_solver.cmake: the files of a folder into the folder runtime here.
foreach(name IN LISTS FILES)
  get_filename_component(folder ${name} DIRECTORY)
  file(COPY ${SOURCE}/${name} DESTINATION runtime/${folder})
endforeach()
