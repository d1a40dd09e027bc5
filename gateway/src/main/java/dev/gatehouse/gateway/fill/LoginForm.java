package dev.gatehouse.gateway.fill;

import dev.gatehouse.common.realm.FormFillConfig.Source;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * A login form that may be filled: its target and its controls.
 *
 * @param target path and query at the app's origin, as the browser sees it
 * @param controls in the order of the page; the filled ones name the source of their value
 * @param json whether it is sent as JSON
 */
public record LoginForm(String target, List<Control> controls, Charset charset, boolean json) {

  private static final JsonMapper JSON = new JsonMapper();

  /** A control that is submitted: with the page's value, or with a value of the person. */
  public sealed interface Control {
    String name();

    record Kept(String name, String value) implements Control {}

    record Filled(String name, Source source) implements Control {}
  }

  /** A request's body; it contains secrets and must not be displayed. */
  public record Body(String contentType, byte[] bytes) {
    @Override
    public String toString() {
      return contentType;
    }
  }

  /** The person's values; empty if one is missing. */
  public interface Values {
    Optional<String> of(Source source);
  }

  /** The body with those values; empty if one of them is missing. */
  public Optional<Body> filled(Values values) {
    Map<String, String> json = new LinkedHashMap<>();
    List<String> pairs = new ArrayList<>();
    for (Control control : controls) {
      Optional<String> value =
          switch (control) {
            case Control.Kept kept -> Optional.of(kept.value());
            case Control.Filled filled -> values.of(filled.source());
          };
      if (value.isEmpty()) {
        return Optional.empty();
      }
      json.put(control.name(), value.get());
      pairs.add(UrlEncoded.text(control.name(), charset) + "=" + UrlEncoded.text(value.get(), charset));
    }
    return Optional.of(
        this.json
            ? new Body("application/json", JSON.writeValueAsBytes(json))
            : new Body("application/x-www-form-urlencoded", UrlEncoded.bytes(String.join("&", pairs))));
  }

  /** Shows only names. */
  @Override
  public String toString() {
    return target + " " + controls.stream().map(Control::name).toList();
  }
}
