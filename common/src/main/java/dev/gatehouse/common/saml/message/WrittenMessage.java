package dev.gatehouse.common.saml.message;

/**
 * A message written by {@link SamlWriter}, signed or not: an artifact refers to it until it is put into an ArtifactResponse.
 *
 * @param xml its own exclusive canonical form
 */
public record WrittenMessage(String xml) {

  /** Does not contain the message, which may be an assertion about a person. */
  @Override
  public String toString() {
    return "WrittenMessage of " + xml.length() + " characters";
  }
}
