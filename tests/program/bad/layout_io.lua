-- robot: ../../../robots/gen3.urdf
return { name = io.open("/etc/passwd"):read() }
