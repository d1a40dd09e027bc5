package dev.gatehouse.perf.http;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jsoup.Connection.KeyVal;
import org.jsoup.Jsoup;
import org.jsoup.nodes.FormElement;
import org.jsoup.parser.Parser;

/**
 * The first form of a page with its hidden fields, filled in.
 *
 * @param target the address it is submitted to
 */
public record FilledForm(String target, String body) {

  /**
   * Fills the form in.
   *
   * @param typed values by field name; ignored if the form has no such field
   * @throws IOException if there is no form, or it asks for a password that is not typed
   */
  public static FilledForm of(String page, Map<String, String> typed) throws IOException {
    if (!(Jsoup.parse(page).selectFirst("form[action]") instanceof FormElement form)) {
      throw new IOException("no form in the page:\n" + page);
    }
    if (form.selectFirst("input[name=password]") != null && !typed.containsKey("password")) {
      throw new IOException("the page asks for a password:\n" + page);
    }
    form.select("[type=submit]").remove();
    StringBuilder body = new StringBuilder();
    for (KeyVal field : form.formData()) {
      String value = typed.getOrDefault(field.key(), field.value());
      body.append(body.isEmpty() ? "" : "&").append(field.key()).append('=');
      body.append(URLEncoder.encode(value, StandardCharsets.UTF_8));
    }
    return new FilledForm(form.attr("action"), body.toString());
  }

  /** The text of an attribute's value. */
  public static String unescaped(String html) {
    return Parser.unescapeEntities(html, true);
  }
}
