local tasks = {}
for k = 1, 9 do
  tasks[k] = move_compliantly { name = "task_" .. k, motion_frame = { p = { 0, 0, 0 } }, object = "object_" .. k,
    x = { velocity = 1, tolerance = 0, largest = 1, abag = { 0.9, 0, 0.001, 0.5, 0.003 } }, stop_when = { time = 1 } }
end
return { name = "many", tasks = tasks }
