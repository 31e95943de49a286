/** The package's declarations are about its other form, which is no module. */
declare module 'bidi-js/dist/bidi.mjs' {
  const bidiFactory: typeof import('bidi-js').default

  export { bidiFactory as default }
}
