

return include "include/one.lua"
