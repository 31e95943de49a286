/** The keys that work anywhere on the entrance screen; none of them is one that a scanner types. */
export const shortcuts = {
  help: 'F1',
  search: 'F2',
  direction: 'F4',
  camera: 'F6',
  undo: 'F8',
  sound: 'F9',
  close: 'Escape',
} as const

/** The same at a till, as far as they do something there. */
export const tillShortcuts = {
  help: shortcuts.help,
  search: shortcuts.search,
  drawer: 'F3',
  park: 'F7',
  undo: shortcuts.undo,
  pay: 'F10',
  close: shortcuts.close,
} as const

/** All of them, by what they do. */
export const everyShortcut = { ...shortcuts, ...tillShortcuts } as const

/** What a shortcut does. */
export type Shortcut = keyof typeof everyShortcut
