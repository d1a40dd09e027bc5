package dev.gatehouse.common.directory;

/** Whose a login name is. */
public sealed interface NameOwner {

  record One(PersonId id) implements NameOwner {}

  record None() implements NameOwner {}

  /** It is more than one person's, so nobody can log in with it. */
  record Several() implements NameOwner {}
}
