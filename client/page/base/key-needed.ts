import { createStore } from './store.ts'

/** Whether the service has refused something that another API key could change. */
export const isKeyNeeded = createStore(false)
