package dev.gatehouse.common.directory;

/** The result of a search for the one person with an attribute value. */
public sealed interface PersonSearch {

  record One(Person person) implements PersonSearch {}

  record None() implements PersonSearch {}

  /** Several people have the value, so it identifies nobody. */
  record Several() implements PersonSearch {}
}
