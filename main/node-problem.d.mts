/** The sentence to show when Gatehouse cannot run on this Node, or null when it can. */
export declare function nodeProblem(version: string): string | null
