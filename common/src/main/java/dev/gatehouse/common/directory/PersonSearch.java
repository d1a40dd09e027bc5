package dev.gatehouse.common.directory;

/** What a search for the one person with an attribute's value found. */
public sealed interface PersonSearch {

  record One(Person person) implements PersonSearch {}

  record None() implements PersonSearch {}

  /** More than one has it: it names nobody. */
  record Several() implements PersonSearch {}
}
