return { name = "a", tasks = {} }
