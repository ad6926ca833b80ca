/** The image of an address, small; the whole of it opens in a tab of its own. */
export function ImageThumb({ address, name }: { address: string; name: string }) {
  return (
    <a href={address} target="_blank" rel="noreferrer" className="block size-20 shrink-0">
      <img
        src={address}
        alt={name}
        title={name}
        loading="lazy"
        decoding="async"
        width={80}
        height={80}
        className="size-20 rounded-md border object-cover"
      />
    </a>
  );
}
