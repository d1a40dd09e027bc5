package dev.gatehouse.common.saml;

/**
 * A message as {@link SamlWriter} wrote it, signed or not: what an artifact stands for, until it is put into an
 * ArtifactResponse.
 *
 * @param xml its own exclusive canonical form
 */
public record WrittenMessage(String xml) {

  /** Not the message: it may be an assertion about somebody. */
  @Override
  public String toString() {
    return "WrittenMessage of " + xml.length() + " characters";
  }
}
