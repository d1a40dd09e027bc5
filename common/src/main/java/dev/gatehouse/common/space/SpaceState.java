package dev.gatehouse.common.space;

/** The degree to which a disk can still be written, from best to worst. */
public enum SpaceState {
  PLENTY,
  /** Free space is below the warning limit. */
  SCARCE,
  /** New sign-ons and registrations are refused; logouts and revocations are written. */
  LOW,
  /** Nothing can be written: the disk is full or read-only. */
  UNWRITABLE
}
