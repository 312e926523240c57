local k = 1
return include "include/two.lua"
