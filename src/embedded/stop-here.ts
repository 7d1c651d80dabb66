process.exit()
