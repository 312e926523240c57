return "door"
