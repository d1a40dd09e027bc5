package dev.gatehouse.common.realm;

/**
 * Space on the disks of the data and of the audit log, in bytes. On a small disk a share of it counts where that is less: a
 * fifth, a tenth and a twentieth.
 *
 * @param warning with less of it free the node warns
 * @param low with less of it free new sign-ons, tokens and registrations are refused; what ends something is still written
 * @param reserve size of a file that is removed when the disk is full, so that what ends something can still be written
 */
public record SpaceConfig(long warning, long low, long reserve) {

  public static final SpaceConfig USUAL = new SpaceConfig(1L << 30, 128L << 20, 16L << 20);

  /** What counts on a disk of that size. */
  public SpaceConfig onDiskOf(long total) {
    return new SpaceConfig(Math.min(warning, total / 5), Math.min(low, total / 10), Math.min(reserve, total / 20));
  }
}
