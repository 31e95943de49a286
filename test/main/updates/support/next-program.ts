// Says which program is to be started on a data folder: its version, and whether it is on trial. A third word says that
// the version on trial does not work.
import { openPrograms } from '../../../../main/updates/programs.ts'

const [, , dataFolder = '', key = '', verdict] = process.argv
const programs = openPrograms({
  dataFolder,
  baseFolder: '/base',
  base: '0.1.0',
  keys: [key],
  log: (message) => void process.stderr.write(`${message}\n`),
  now: () => 1_800_000_000_000,
})
const program = programs.next()
if (verdict === 'failed') programs.failed('ended')
if (verdict === 'passed') programs.passed()
process.stdout.write(JSON.stringify(program))
