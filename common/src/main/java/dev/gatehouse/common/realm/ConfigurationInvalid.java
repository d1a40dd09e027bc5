package dev.gatehouse.common.realm;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown with all problems of a configuration that cannot be used; nothing starts with such a configuration. */
public final class ConfigurationInvalid extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  public ConfigurationInvalid(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
