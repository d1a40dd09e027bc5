package dev.gatehouse.common.directory;

/** The owner of a login name. */
public sealed interface NameOwner {

  record One(PersonId id) implements NameOwner {}

  record None() implements NameOwner {}

  /** Several people have the name, so nobody can log in with it. */
  record Several() implements NameOwner {}
}
