package dev.gatehouse.common.space;

/** How much can still be written to a disk, from good to bad. */
public enum SpaceState {
  PLENTY,
  /** Below the warning. */
  SCARCE,
  /** New sign-ons and registrations are refused; what ends something is written. */
  LOW,
  /** Nothing can be written: the disk is full or read-only. */
  UNWRITABLE
}
