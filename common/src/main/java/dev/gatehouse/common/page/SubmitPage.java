package dev.gatehouse.common.page;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * The page that submits a message, rendered once by its template with placeholders for values. Filling them in is a few copies of
 * bytes, and each sign-on needs it. Values are escaped as the template engine escapes them.
 */
final class SubmitPage {

  private static final String ACTION = "gatehouse-place-of-action";
  private static final String VALUE = "gatehouse-place-of-value";
  private static final String RELAY_STATE = "gatehouse-place-of-relay-state";

  private final EdgeReply frame;
  private final byte[] beforeAction;
  private final byte[] beforeValue;
  private final byte[] beforeRelayState;
  private final byte[] end;

  private SubmitPage(EdgeReply frame, byte[] beforeAction, byte[] beforeValue, byte[] beforeRelayState, byte[] end) {
    this.frame = frame;
    this.beforeAction = beforeAction;
    this.beforeValue = beforeValue;
    this.beforeRelayState = beforeRelayState;
    this.end = end;
  }

  /**
   * Prepares a page.
   *
   * @param like determines the parameter and whether there is a RelayState
   * @param template renders the page for a form
   */
  static SubmitPage of(PostForm like, Function<PostForm, EdgeReply> template) {
    EdgeReply page =
        template.apply(new PostForm(ACTION, like.parameter(), VALUE, like.relayState().map(state -> RELAY_STATE)));
    String html = page.text();
    int action = position(html, ACTION);
    int value = position(html, VALUE);
    int afterValue = value + VALUE.length();
    int relayState = like.relayState().isPresent() ? position(html, RELAY_STATE) : afterValue;
    int afterRelayState = like.relayState().isPresent() ? relayState + RELAY_STATE.length() : afterValue;
    return new SubmitPage(
        page,
        utf8(html.substring(0, action)),
        utf8(html.substring(action + ACTION.length(), value)),
        utf8(html.substring(afterValue, relayState)),
        utf8(html.substring(afterRelayState)));
  }

  /** Returns the page for a form with the same parameter, with a RelayState if and only if the first form had one. */
  EdgeReply fill(PostForm form) {
    byte[] action = EscapedText.utf8(form.action());
    byte[] value = EscapedText.utf8(form.value());
    byte[] relayState = EscapedText.utf8(form.relayState().orElse(""));
    int size = beforeAction.length + action.length + beforeValue.length + value.length + beforeRelayState.length;
    ByteArrayOutputStream body = new ByteArrayOutputStream(size + relayState.length + end.length);
    for (byte[] part : new byte[][] {beforeAction, action, beforeValue, value, beforeRelayState, relayState, end}) {
      body.writeBytes(part);
    }
    return new EdgeReply(frame.status(), frame.headers(), body.toByteArray());
  }

  /** Returns the position of a placeholder; the template contains each once, in this order. */
  private static int position(String html, String name) {
    int at = html.indexOf(name);
    if (at < 0 || html.indexOf(name, at + 1) >= 0) {
      throw new IllegalStateException("submit.html must hold the form's action, value and RelayState once each");
    }
    return at;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
