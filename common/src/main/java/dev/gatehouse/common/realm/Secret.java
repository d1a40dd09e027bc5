package dev.gatehouse.common.realm;

/** A secret from the configuration; never printed. */
public record Secret(String value) {
  @Override
  public String toString() {
    return "***";
  }
}
