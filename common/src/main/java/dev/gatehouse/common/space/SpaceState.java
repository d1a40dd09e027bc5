package dev.gatehouse.common.space;

/** How much can still be written to a disk, from best to worst. */
public enum SpaceState {
  PLENTY,
  /** Free space is below the warning limit. */
  SCARCE,
  /** New sign-ons and registrations are refused; logouts and revocations are written. */
  LOW,
  /** Nothing can be written: the disk is full or read-only. */
  UNWRITABLE
}
