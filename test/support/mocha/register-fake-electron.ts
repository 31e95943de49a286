import { registerHooks } from 'node:module'

// Loaded by mocha before the tests: whoever imports electron is given the stand-in. The real package would
// try to download its program.
const url = new URL('./fake-electron.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})
