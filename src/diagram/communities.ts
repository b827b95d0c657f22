/**
 * Divides a graph into communities by the Louvain method: nodes move to the community where the modularity grows
 * most, and communities that no longer change become the nodes of the next round. Deterministic.
 */

type Edge = readonly [string, string];

/** Weights of the edges to other nodes, and of those within the node. */
interface Node {
  readonly members: readonly string[];
  readonly weights: ReadonlyMap<number, number>;
  readonly degree: number;
}

const maxRounds = 20;

export function communitiesOf(
  names: readonly string[],
  edges: readonly Edge[],
): readonly (readonly string[])[] {
  let nodes = nodesOf(names, edges);
  for (let round = 0; round < maxRounds; round++) {
    const communities = moveNodes(nodes);
    if (new Set(communities).size === nodes.length) break;
    nodes = joined(nodes, communities);
  }
  return nodes.map(({ members }) => members);
}

function nodesOf(names: readonly string[], edges: readonly Edge[]): readonly Node[] {
  const indexes = new Map(names.map((name, i) => [name, i]));
  const weights = names.map(() => new Map<number, number>());
  for (const [one, other] of edges) {
    const [a, b] = [indexes.get(one), indexes.get(other)];
    if (a === undefined || b === undefined || a === b) continue;
    addTo(weights[a], b, 1);
    addTo(weights[b], a, 1);
  }
  return names.map((name, i) => {
    const own = weights[i] ?? new Map<number, number>();
    return { members: [name], weights: own, degree: sum(own.values()) };
  });
}

/** Returns the community of each node. */
function moveNodes(nodes: readonly Node[]): readonly number[] {
  const communities = nodes.map((_, i) => i);
  const degrees = nodes.map(({ degree }) => degree);
  const total = sum(degrees) || 1;
  for (let round = 0, isMoved = true; isMoved && round < maxRounds; round++) {
    isMoved = false;
    for (const [i, node] of nodes.entries()) {
      const own = communities[i] ?? i;
      degrees[own] = (degrees[own] ?? 0) - node.degree;
      const weights = new Map<number, number>([[own, 0]]);
      for (const [other, weight] of node.weights)
        if (other !== i) addTo(weights, communities[other] ?? other, weight);
      const gain = (community: number): number =>
        (weights.get(community) ?? 0) - (node.degree * (degrees[community] ?? 0)) / total;
      let best = own;
      for (const community of weights.keys())
        if (gain(community) > gain(best) + 1e-9) best = community;
      degrees[best] = (degrees[best] ?? 0) + node.degree;
      communities[i] = best;
      isMoved ||= best !== own;
    }
  }
  return communities;
}

function joined(nodes: readonly Node[], communities: readonly number[]): readonly Node[] {
  const numbers = [...new Set(communities)];
  const indexes = new Map(numbers.map((community, i) => [community, i]));
  const weights = numbers.map(() => new Map<number, number>());
  const members = numbers.map((): string[] => []);
  for (const [i, node] of nodes.entries()) {
    const index = indexes.get(communities[i] ?? i) ?? 0;
    members[index]?.push(...node.members);
    for (const [other, weight] of node.weights)
      addTo(weights[index], indexes.get(communities[other] ?? other) ?? 0, weight);
  }
  return numbers.map((_, i) => {
    const own = weights[i] ?? new Map<number, number>();
    return { members: members[i] ?? [], weights: own, degree: sum(own.values()) };
  });
}

function addTo(weights: Map<number, number> | undefined, key: number, weight: number): void {
  weights?.set(key, (weights.get(key) ?? 0) + weight);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
