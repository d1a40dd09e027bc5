package dev.gatehouse.gateway.console;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.page.LogoImage;
import dev.gatehouse.common.page.ThemePages;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.theme.ThemeEndpoint;
import dev.gatehouse.gateway.admin.theme.ThemePreview;
import dev.gatehouse.gateway.admin.theme.ThemeView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Precondition;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * {@code /console/realms/{realm}/theme}: tries out logo, colours, texts and templates of a realm's pages in a frame, and stores them. The
 * frame shows the form as it is: the button sends it there.
 */
@Controller
@RequestMapping("/console/realms/{realm}/theme")
final class ThemePage {

  private static final String TEMPLATE = "template-";
  private static final List<String> PARTS = List.of("background", "card", "text");
  private static final String USUAL = "login/first";

  private record Template(String page, String html) {}

  private final Realms realms;
  private final ThemeEndpoint themes;
  private final ThemePreview preview;
  private final ConsolePages pages;

  ThemePage(Realms realms, ThemeEndpoint themes, ThemePreview preview, ConsolePages pages) {
    this.realms = realms;
    this.themes = themes;
    this.preview = preview;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    find(realm);
    ResponseEntity<ThemeView> inUse = themes.one(realm);
    Map<String, Object> more = new HashMap<>();
    more.put("done", request.query("done").isPresent());
    more.put("added", request.query("template"));
    return form(request, 200, realm, Objects.requireNonNull(inUse.getBody()), tag(inUse), more);
  }

  /** Returns what the frame shows first: a page with the theme in use. */
  @GetMapping("/preview")
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> inUse(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    return ConsolePages.entity(preview.show(find(realm), shown(request)));
  }

  @PostMapping("/try")
  @RequiresRole(AdministratorRole.ADMIN)
  ResponseEntity<byte[]> proposed(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    find(realm);
    try {
      ThemeEndpoint.Preview tried = themes.preview(realm, theme(request, realm), shown(request), request.rights());
      Optional<EdgeReply> page = tried.page();
      return page.isPresent() ? ConsolePages.entity(page.get()) : refused(request, tried.problems(), "");
    } catch (BadRequest | Conflict e) {
      return refused(request, List.of(), String.valueOf(e.getMessage()));
    }
  }

  private ResponseEntity<byte[]> refused(ConsoleRequest request, List<ProblemView> problems, String detail) {
    return pages.framed(request, 422, "console-theme-problems", Map.of("problems", problems, "detail", detail));
  }

  @PostMapping("/use")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> save(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    find(realm);
    String ifMatch = request.field("ifMatch").orElse("");
    ThemeView theme = new ThemeView(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    try {
      theme = theme(request, realm);
      PlanView answer =
          Objects.requireNonNull(themes.put(realm, request.field("reason"), ifMatch, theme, request.rights()).getBody());
      return answer.problems().isEmpty()
          ? pages.seeOther(Address.ofRealm(realm, "theme", "done", "saved"))
          : form(request, 422, realm, theme, ifMatch, Map.of("problems", answer.problems()));
    } catch (Precondition e) {
      if (e.status() != HttpStatus.PRECONDITION_FAILED) {
        throw e;
      }
      return form(request, 412, realm, theme, tag(themes.one(realm)), Map.of("stale", true));
    } catch (BadRequest e) {
      return form(request, 400, realm, theme, ifMatch, Map.of("detail", String.valueOf(e.getMessage())));
    } catch (Conflict e) {
      return form(request, 409, realm, theme, ifMatch, Map.of("detail", String.valueOf(e.getMessage())));
    }
  }

  private static ThemePreview.Shown shown(ConsoleRequest request) {
    String[] page = request.field("page").or(() -> request.query("page")).orElse(USUAL).split("/", 2);
    String language = request.field("language").or(() -> request.query("language")).orElse("en");
    return new ThemePreview.Shown(page[0], page.length > 1 ? page[1] : "", language);
  }

  /** Returns the theme that was typed in. An image that is not sent again stays. */
  private ThemeView theme(ConsoleRequest request, String realm) {
    Map<String, Map<String, String>> texts = new LinkedHashMap<>();
    texts.put("en", texts(request, "textsEn"));
    texts.put("de", texts(request, "textsDe"));
    Map<String, String> templates = new LinkedHashMap<>();
    for (String page : ThemePages.names()) {
      request.field(TEMPLATE + page).ifPresent(html -> templates.put(page, html.replace("\r\n", "\n") + "\n"));
    }
    Optional<String> kept =
        request.field("logoKept").or(() -> Optional.ofNullable(themes.one(realm).getBody()).flatMap(ThemeView::logo));
    return new ThemeView(
        request.field("displayName"),
        request.field("accent"),
        Optional.of(colours(request, "light")),
        Optional.of(colours(request, "dark")),
        request.field("logo").map(ThemePage::base64).or(() -> request.field("removeLogo").isPresent() ? Optional.empty() : kept),
        Optional.of(texts),
        Optional.of(templates));
  }

  /** An SVG image whose kind the browser did not know comes as text. */
  private static String base64(String image) {
    return image.startsWith("<") ? Base64.getEncoder().encodeToString(image.getBytes(StandardCharsets.UTF_8)) : image;
  }

  private static Map<String, String> colours(ConsoleRequest request, String scheme) {
    Map<String, String> colours = new LinkedHashMap<>();
    PARTS.forEach(part -> request.field(scheme + "-" + part).ifPresent(colour -> colours.put(part, colour)));
    return colours;
  }

  /** Reads lines of {@code key = text}. */
  private static Map<String, String> texts(ConsoleRequest request, String field) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String line : request.field(field).orElse("").lines().map(String::strip).filter(line -> !line.isEmpty()).toList()) {
      int equals = line.indexOf('=');
      if (equals < 1 || texts.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip()) != null) {
        throw new BadRequest("Write each text once, on a line of its own: key = text. This line is not like that: " + line);
      }
    }
    return texts;
  }

  private static String lines(ThemeView theme, String language) {
    Map<String, String> texts = theme.texts().map(all -> all.getOrDefault(language, Map.of())).orElse(Map.of());
    return texts.entrySet().stream().map(text -> text.getKey() + " = " + text.getValue()).collect(Collectors.joining("\n"));
  }

  private ResponseEntity<byte[]> form(
      ConsoleRequest request, int status, String realm, ThemeView theme, String ifMatch, Map<String, Object> more) {
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("action", Address.ofRealm(realm, "theme"));
    model.put("useAction", Address.ofRealm(realm, "theme/use"));
    model.put("tryAction", Address.ofRealm(realm, "theme/try"));
    model.put("preview", Address.ofRealm(realm, "theme/preview"));
    model.put("mayChange", request.rights().may(AdministratorRole.ADMIN, realm));
    model.put("ifMatch", ifMatch);
    model.put("displayName", theme.displayName());
    model.put("accent", theme.accent().orElse("#1f5fa8"));
    model.put("light", fields("light", theme.light()));
    model.put("dark", fields("dark", theme.dark()));
    Optional<byte[]> logo = theme.logo().flatMap(ThemePage::decoded);
    model.put("logo", logo.flatMap(LogoImage::of).map(kind -> "data:" + kind.mediaType() + ";base64," + theme.logo().orElse("")));
    model.put("logoKept", status == 200 ? Optional.empty() : theme.logo());
    model.put("textsEn", lines(theme, "en"));
    model.put("textsDe", lines(theme, "de"));
    Optional<String> added = more.get("added") instanceof Optional<?> page ? page.map(String::valueOf) : Optional.empty();
    model.put("templates", templates(theme, added));
    model.put("samples", samples());
    model.put("names", ThemePages.names());
    model.put("problems", List.of());
    model.put("stale", false);
    model.put("done", false);
    model.put("detail", "");
    model.putAll(more);
    return pages.framing(request, status, RealmPages.HERE, "console-theme", model);
  }

  /** The input fields of a scheme's colours. */
  private static List<Map<String, String>> fields(String scheme, Optional<Map<String, String>> colours) {
    return PARTS.stream()
        .map(part -> Map.of("name", scheme + "-" + part, "part", part, "value", colours.map(all -> all.getOrDefault(part, "")).orElse("")))
        .toList();
  }

  /** Returns the templates of the theme, and ours of the page that is to get one. */
  private static List<Template> templates(ThemeView theme, Optional<String> added) {
    Map<String, String> all = new LinkedHashMap<>(theme.templates().orElse(Map.of()));
    added.filter(ThemePages::isKnown).ifPresent(page -> all.putIfAbsent(page, ThemePages.source(page)));
    List<Template> templates = new ArrayList<>();
    all.forEach((page, html) -> templates.add(new Template(page, html)));
    return templates;
  }

  private static List<String> samples() {
    return ThemePages.names().stream()
        .flatMap(page -> ThemePages.samples(page).keySet().stream().map(sample -> page + "/" + sample))
        .toList();
  }

  private static Optional<byte[]> decoded(String base64) {
    try {
      return Optional.of(Base64.getDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String tag(ResponseEntity<?> answer) {
    return Optional.ofNullable(answer.getHeaders().getETag()).orElse("");
  }

  private Realm find(String realm) {
    return realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
  }
}
