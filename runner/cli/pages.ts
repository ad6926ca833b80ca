type Page<Row> = { items: readonly Row[]; nextCursor: string | null };

/** All rows of a list that is told in pages, in their order. */
export async function readEveryPage<Row>(
  read: (cursor: string | undefined) => Promise<Page<Row>>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(cursor);
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}
