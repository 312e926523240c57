local helper = {}
function helper.all(value)
  if value < 0 then
    error("negative")
  end
  return { joint_1 = value }
end
return helper
