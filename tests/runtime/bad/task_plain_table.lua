return { name = "a", tasks = { { name = "b" } } }
