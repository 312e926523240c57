-- robot: ../../../../robots/gen3.urdf
return include "include/heavy.lua"
--> include/heavy.lua:3: warning: "gravity" is 981 m/s^2; the earth's is 9.81
