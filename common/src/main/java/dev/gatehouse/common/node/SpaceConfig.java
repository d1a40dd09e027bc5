package dev.gatehouse.common.node;

/**
 * Limits of free space on the disks of the data and of the audit log, in bytes. On a small disk the limits are at most a fifth, a
 * tenth and a twentieth of its size.
 *
 * @param warning the node warns if less is free
 * @param low new sign-ons, tokens and registrations are refused if less is free; logouts and revocations are still written
 * @param reserve size of a file that is removed when the disk is full, so that logouts and revocations can still be written
 */
public record SpaceConfig(long warning, long low, long reserve) {

  public static final SpaceConfig USUAL = new SpaceConfig(1L << 30, 128L << 20, 16L << 20);

  /** Returns the limits for a disk of that size. */
  public SpaceConfig onDiskOf(long total) {
    return new SpaceConfig(Math.min(warning, total / 5), Math.min(low, total / 10), Math.min(reserve, total / 20));
  }
}
