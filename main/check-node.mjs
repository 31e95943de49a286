import { nodeProblem } from './node-problem.mjs'

const problem = nodeProblem(process.versions.node)
if (problem !== null) {
  console.error(problem)
  process.exit(1)
}
