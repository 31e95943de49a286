import './check-node.mjs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { programsOn, readChoice, runUpdatingServer } from './updates/headless.ts'

// The command line of a package: the newest good version of the program, for the server and for commands beside it.

const args = process.argv.slice(2)
const { dataFolder, isUpdatingServer } = readChoice(args, process.env)
const programs = programsOn(dataFolder)
if (isUpdatingServer) process.exitCode = await runUpdatingServer(args, programs)
else {
  const program = programs.present()
  if (program === null) {
    console.error('An update of this server is being tried at the moment. Try again in two minutes.')
    process.exit(1)
  }
  await import(pathToFileURL(join(program.folder, 'server', `cli${import.meta.url.slice(-3)}`)).href)
}
