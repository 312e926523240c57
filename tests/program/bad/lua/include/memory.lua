local t = {}
for k = 1, 1e9 do t[k] = k end
return t
