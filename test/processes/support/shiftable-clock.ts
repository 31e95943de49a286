// Loaded before the program in a process of its own: its clocks can be set from outside, the one that tells the time and
// the one that only counts.

const wall = Date.now
const counter = performance.now.bind(performance)
let ahead = Number(process.env.CLOCK_AHEAD ?? 0)
const started = ahead

Date.now = () => wall() + ahead
performance.now = () => counter() + ahead - started

process.on('message', (message: { readonly ahead: number }) => {
  ahead = message.ahead
  process.send?.({ ahead })
})
