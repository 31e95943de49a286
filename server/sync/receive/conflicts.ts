// What the services do when they undo or force a check-in is the same as what is done when check-ins arrive.
export { conflictId, keepConflict } from '../../services/checkin/conflict-rows.ts'
export { markForced, reconcileConflicts } from '../../services/checkin/conflicts.ts'
