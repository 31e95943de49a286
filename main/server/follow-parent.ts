// Loaded into the server's process before its script: a server whose shell has died, however suddenly,
// stops in order instead of going on by itself with the database.

process.once('disconnect', () => {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(0)
})
// The channel alone must not keep the process running.
process.channel?.unref()
