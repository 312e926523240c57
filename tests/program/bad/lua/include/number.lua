return 0.5
