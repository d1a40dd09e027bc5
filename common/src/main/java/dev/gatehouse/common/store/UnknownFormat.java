package dev.gatehouse.common.store;

/**
 * The failure to read a record because its format number is not one of those that this version reads: a version that is newer by more than
 * one wrote it, or one that is too old. The record is not damaged.
 */
public final class UnknownFormat extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  /**
   * @param oldest the first format number that is read
   * @param newest the last one
   */
  public UnknownFormat(String what, long written, int oldest, int newest) {
    super(
        what + " is of format " + written + ", and this version of Gatehouse reads " + oldest + " to " + newest
            + ": all nodes need the same version, or one next to it");
  }
}
