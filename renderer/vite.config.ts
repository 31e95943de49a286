import { defineConfig } from 'vite'

/** The screens as static files: every asset a file of its own, since the content policy forbids inline ones. */
export default defineConfig({
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    target: 'es2024',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'display.html'].map((page) => `${import.meta.dirname}/${page}`),
    },
  },
})
