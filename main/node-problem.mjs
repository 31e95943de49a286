// Plain JavaScript that any Node since version 14 can read, as everything that runs before the version is known:
// on an old Node the rest of the program would not say what is wrong. TypeScript files would be a syntax error, and
// the database library ends the process.

/** The sentence to show when Gatehouse cannot run on this Node, or null when it can. */
export function nodeProblem(version) {
  if (Number.parseInt(version, 10) >= 24) return null
  return (
    `Gatehouse needs Node.js 24 or later, and this is ${version}. ` +
    'Run "npm install" and then "npm start": that brings the right Node along. ' +
    'Or install Node.js 24 from https://nodejs.org/ and start again.'
  )
}
