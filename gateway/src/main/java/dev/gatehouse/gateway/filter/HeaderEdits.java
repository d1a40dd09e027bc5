package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.HeadBuffer;
import java.util.List;

/** The fields that a decision adds for the app, encoded once. Client copies of them are removed from every request. */
public final class HeaderEdits {

  /**
   * One field to be set.
   *
   * @param value its bytes as Latin-1 characters
   */
  public record Edit(String name, String value) {}

  private static final HeaderEdits NONE = new HeaderEdits(List.of(), false);

  private final List<Edit> edits;
  private final boolean dropsToken;
  private final byte[] encoded;

  private HeaderEdits(List<Edit> edits, boolean dropsToken) {
    this.edits = List.copyOf(edits);
    this.dropsToken = dropsToken;
    HeadBuffer buffer = new HeadBuffer();
    edits.forEach(edit -> buffer.putField(edit.name(), edit.value()));
    this.encoded = java.util.Arrays.copyOf(buffer.array(), buffer.length());
  }

  public static HeaderEdits none() {
    return NONE;
  }

  public static HeaderEdits of(List<Edit> edits) {
    return new HeaderEdits(edits, false);
  }

  /** These, and the app does not get the access token that was for us, nor its proof. */
  public HeaderEdits withoutToken() {
    return new HeaderEdits(edits, true);
  }

  boolean dropsToken() {
    return dropsToken;
  }

  public List<Edit> edits() {
    return edits;
  }

  void write(HeadBuffer out) {
    out.put(encoded);
  }

  /** The names only. */
  @Override
  public String toString() {
    return edits.stream().map(Edit::name).toList().toString();
  }
}
