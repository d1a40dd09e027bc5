package dev.gatehouse.gateway.fill;

import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.FormRule;
import dev.gatehouse.common.realm.FormFillConfig.Post;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.FormFillConfig.Type;
import dev.gatehouse.gateway.fill.LoginForm.Control;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.FormElement;

/**
 * Finds the login form in a page. Pages are not trusted, because people may have written parts of them. So a form is
 * only filled if it is submitted to the configured path of this very app (by default the path of its page), not with
 * GET, and has each filled control exactly once.
 */
public final class FormFinder {

  /** The result for a page. */
  public sealed interface Found {
    /** Not the login page. */
    record None() implements Found {}

    record Form(LoginForm form) implements Found {}

    /** The page contains the form, but not as required: nothing is filled. */
    record Refused(FormFillReason reason) implements Found {}
  }

  private static final Found NONE = new Found.None();
  private static final Set<String> WITHOUT_VALUE = Set.of("button", "reset", "image", "file");

  private final FormFillConfig config;

  public FormFinder(FormFillConfig config) {
    this.config = config;
  }

  /** Returns whether a response with that path and status may contain the form. */
  public boolean mayBe(String path, int status) {
    return config.form().status().contains(status) && mayBe(path);
  }

  /** Returns whether a page at that path may contain the form. */
  public boolean mayBe(String path) {
    return Wildcard.matches(config.form().path(), path);
  }

  /**
   * Searches an HTML page.
   *
   * @param charset from the response's Content-Type; if empty, the page declares it
   */
  public Found find(byte[] html, Optional<Charset> charset, PageAddress page) {
    Document document;
    try {
      String url = page.origin() + page.path();
      document = Jsoup.parse(new ByteArrayInputStream(html), charset.map(Charset::name).orElse(null), url);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return config.post().isPresent() ? script(document, config.post().get()) : form(document, page);
  }

  private Found form(Document document, PageAddress page) {
    List<FormElement> forms = document.forms().stream().filter(this::fits).toList();
    if (forms.isEmpty()) {
      return NONE;
    }
    if (forms.size() > 1) {
      return refused(FormFillReason.FORM_AMBIGUOUS);
    }
    FormElement form = forms.getFirst();
    if (!form.attr("method").equalsIgnoreCase("post")) {
      return refused(FormFillReason.METHOD_GET);
    }
    String encoding = form.attr("enctype").toLowerCase(Locale.ROOT);
    if (encoding.equals("multipart/form-data") || encoding.equals("text/plain")) {
      return refused(FormFillReason.ENCODING);
    }
    // An empty action means the page itself, regardless of its base (HTML 4.10.21.3).
    String action = form.attr("action").strip();
    Optional<String> target =
        action.isEmpty() ? Optional.of(page.path()) : page.within(form.absUrl("action"));
    if (target.isEmpty()) {
      return refused(FormFillReason.ACTION_ELSEWHERE);
    }
    String path = target.get().contains("?") ? target.get().substring(0, target.get().indexOf('?')) : target.get();
    if (!path.equals(config.form().action().orElse(page.path()))) {
      return refused(FormFillReason.ACTION_UNEXPECTED);
    }
    return controls(form)
        .map(controls -> (Found) new Found.Form(new LoginForm(target.get(), controls, charset(document, form), false)))
        .orElseGet(() -> refused(whyNot(form)));
  }

  private boolean fits(FormElement form) {
    FormRule rule = config.form();
    return rule.id().filter(id -> !form.id().equals(id)).isEmpty()
        && rule.name().filter(name -> !form.attr("name").equals(name)).isEmpty()
        && config.fields().keySet().stream().allMatch(name -> count(form, name) > 0)
        && rule.fields().stream().allMatch(name -> count(form, name) > 0);
  }

  private static long count(FormElement form, String name) {
    return form.elements().stream().filter(control -> control.attr("name").equals(name)).count();
  }

  private FormFillReason whyNot(FormElement form) {
    boolean twice = config.fields().keySet().stream().anyMatch(name -> count(form, name) > 1);
    return twice ? FormFillReason.FIELD_TWICE : FormFillReason.NO_PASSWORD_CONTROL;
  }

  /**
   * The controls that a browser would submit (HTML 4.10.21.4), with the first button as if Enter was pressed; empty if
   * the form must not be filled.
   */
  private Optional<List<Control>> controls(FormElement form) {
    List<Control> controls = new ArrayList<>();
    boolean button = false;
    for (Element control : form.elements()) {
      String name = control.attr("name");
      Source source = config.fields().get(name);
      if (source != null) {
        if (count(form, name) > 1 || source instanceof Source.Password && !type(control).equals("password")) {
          return Optional.empty();
        }
        controls.add(new Control.Filled(name, source));
      } else if (!name.isEmpty() && !control.hasAttr("disabled")) {
        boolean submits = type(control).equals("submit");
        if (!submits || !button) {
          value(control).forEach(value -> controls.add(new Control.Kept(name, value)));
        }
        button |= submits;
      }
    }
    return Optional.of(List.copyOf(controls));
  }

  private static String type(Element control) {
    String type = control.attr("type").toLowerCase(Locale.ROOT);
    return switch (control.normalName()) {
      case "button" -> type.isEmpty() ? "submit" : type;
      case "input" -> type;
      default -> control.normalName();
    };
  }

  private static List<String> value(Element control) {
    String type = type(control);
    if (WITHOUT_VALUE.contains(type)) {
      return List.of();
    }
    return switch (type) {
      case "checkbox", "radio" ->
          control.hasAttr("checked") ? List.of(control.hasAttr("value") ? control.attr("value") : "on") : List.of();
      case "select" -> selected(control);
      case "textarea" -> List.of(control.wholeText());
      default -> List.of(control.attr("value"));
    };
  }

  private static List<String> selected(Element select) {
    List<String> chosen =
        select.select("option[selected]").stream().map(FormFinder::optionValue).toList();
    Element first = select.selectFirst("option");
    return chosen.isEmpty() && first != null && !select.hasAttr("multiple") ? List.of(optionValue(first)) : chosen;
  }

  private static String optionValue(Element option) {
    return option.hasAttr("value") ? option.attr("value") : option.text();
  }

  /** Only what the configuration names is sent, and only to the configured URL: the page cannot change that. */
  private Found script(Document document, Post post) {
    FormRule rule = config.form();
    boolean there =
        rule.id().filter(id -> document.getElementById(id) == null).isEmpty()
            && rule.fields().stream().allMatch(name -> named(document, name).isPresent())
            && config.fields().keySet().stream().allMatch(name -> named(document, name).isPresent());
    if (!there) {
      return NONE;
    }
    List<Control> controls = new ArrayList<>();
    for (Map.Entry<String, Source> field : post.fields().entrySet()) {
      if (field.getValue() instanceof Source.Control(String name)) {
        Optional<Element> control = named(document, name);
        if (control.isEmpty()) {
          return refused(FormFillReason.CONTROL_MISSING);
        }
        controls.add(new Control.Kept(field.getKey(), String.join("", value(control.get()))));
      } else {
        controls.add(new Control.Filled(field.getKey(), field.getValue()));
      }
    }
    return new Found.Form(
        new LoginForm(post.url(), List.copyOf(controls), StandardCharsets.UTF_8, post.type() == Type.JSON));
  }

  private static Optional<Element> named(Document document, String name) {
    return document.getElementsByAttributeValue("name", name).stream().findFirst();
  }

  private static Charset charset(Document document, FormElement form) {
    for (String name : form.attr("accept-charset").split("[ ,]+")) {
      if (!name.isEmpty() && name.matches("[A-Za-z0-9][A-Za-z0-9.:_+-]*") && Charset.isSupported(name)) {
        return submittable(Charset.forName(name));
      }
    }
    return submittable(document.charset());
  }

  /** Forms are never sent as UTF-16 (HTML 4.10.21.5). */
  private static Charset submittable(Charset charset) {
    return charset.canEncode() && !charset.name().startsWith("UTF-16") && !charset.name().startsWith("UTF-32")
        ? charset
        : StandardCharsets.UTF_8;
  }

  private static Found refused(FormFillReason reason) {
    return new Found.Refused(reason);
  }
}
