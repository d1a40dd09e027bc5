package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.HeadBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The changes that a decision makes to a request for the app, encoded once: added fields, and additions to the query
 * and the cookies. The client's own copies of them are removed from every request.
 */
public final class HeaderEdits {

  /**
   * One field to set.
   *
   * @param value its bytes as Latin-1 characters
   */
  public record Edit(String name, String value) {}

  private static final HeaderEdits NONE = new HeaderEdits(List.of(), false, null, null, null);

  private final List<Edit> edits;
  private final boolean dropsToken;
  private final @Nullable QueryEdits query;
  private final @Nullable CookieEdits cookies;
  private final @Nullable PerRequestIdentity late;
  private final boolean replacesAuthorization;
  private final byte[] encoded;

  private HeaderEdits(
      List<Edit> edits,
      boolean dropsToken,
      @Nullable QueryEdits query,
      @Nullable CookieEdits cookies,
      @Nullable PerRequestIdentity late) {
    this.edits = List.copyOf(edits);
    this.dropsToken = dropsToken;
    this.query = query;
    this.cookies = cookies;
    this.late = late;
    this.replacesAuthorization = edits.stream().anyMatch(edit -> edit.name().equalsIgnoreCase("Authorization"));
    HeadBuffer buffer = new HeadBuffer();
    edits.forEach(edit -> buffer.putField(edit.name(), edit.value()));
    this.encoded = Arrays.copyOf(buffer.array(), buffer.length());
  }

  public static HeaderEdits none() {
    return NONE;
  }

  public static HeaderEdits of(List<Edit> edits) {
    return new HeaderEdits(edits, false, null, null, null);
  }

  static HeaderEdits of(List<Edit> edits, Optional<QueryEdits> query, Optional<CookieEdits> cookies) {
    return new HeaderEdits(edits, false, query.orElse(null), cookies.orElse(null), null);
  }

  /** A copy that must be completed for each request; it must not be written before. */
  HeaderEdits until(PerRequestIdentity later) {
    return new HeaderEdits(edits, dropsToken, query, cookies, later);
  }

  /** A copy that also removes the access token and its DPoP proof, which are for the gateway. */
  public HeaderEdits withoutToken() {
    return dropsToken ? this : new HeaderEdits(edits, true, query, cookies, late == null ? null : late.withoutToken());
  }

  /** Present if a token or the client's address must still be added. */
  public Optional<PerRequestIdentity> late() {
    return Optional.ofNullable(late);
  }

  boolean dropsToken() {
    return dropsToken;
  }

  boolean replacesAuthorization() {
    return replacesAuthorization;
  }

  Optional<CookieEdits> cookies() {
    return Optional.ofNullable(cookies);
  }

  public List<Edit> edits() {
    return edits;
  }

  void write(HeadBuffer out) {
    if (late != null) {
      throw new IllegalStateException("these edits are not complete");
    }
    out.put(encoded);
  }

  /**
   * Writes the query as the app receives it, with its question mark.
   *
   * @param bytes the received request
   * @param start the index of its question mark; equal to {@code end} if there is none
   */
  public void writeQuery(byte[] bytes, int start, int end, HeadBuffer out) {
    if (query == null) {
      out.put(bytes, start, end);
    } else {
      query.write(bytes, start, end, out);
    }
  }

  /** Shows only names. */
  @Override
  public String toString() {
    return edits.stream().map(Edit::name).toList().toString();
  }
}
