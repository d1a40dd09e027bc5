package dev.gatehouse.common.revision;

/** Signals that another node brought a revision into use. */
final class ChangedMeanwhile extends RuntimeException {
  private static final long serialVersionUID = 1;
}
