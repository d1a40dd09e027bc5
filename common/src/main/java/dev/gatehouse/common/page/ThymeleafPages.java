package dev.gatehouse.common.page;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thymeleaf.IEngineConfiguration;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.context.Context;
import org.thymeleaf.context.ITemplateContext;
import org.thymeleaf.exceptions.TemplateEngineException;
import org.thymeleaf.messageresolver.AbstractMessageResolver;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;
import org.thymeleaf.templateresolver.StringTemplateResolver;

/**
 * Renders pages from Thymeleaf templates on the class path, {@code pages/NAME.html} in any module. See {@code
 * pages/gatehouse.css} for the classes of templates and {@code pages/layout.html} for the layout around them.
 */
public final class ThymeleafPages implements Pages {

  /** Our only script: it submits the page's form. {@code layout.html} contains exactly the same text. */
  static final String SUBMIT_SCRIPT = "document.forms[0].submit()";

  /** The placeholder of the style sheet in the layout. Texts from a model cannot contain it, because they are escaped. */
  private static final String STYLE_PLACEHOLDER = "<style></style>";

  /** The variable with the texts of a realm; no expression can name it. */
  private static final String OWN_TEXTS = "own texts";

  private static final Logger LOG = LoggerFactory.getLogger(ThymeleafPages.class);

  private static final BrandConfig NO_BRAND = 
      new BrandConfig(
          "Gatehouse", "#2f5d8a", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** The properties that distinguish submitting pages, without the values in them. */
  private record Submitting(
      BrandConfig brand, Language language, String parameter, boolean hasRelayState, List<String> framedBy) {}

  /** The properties that distinguish prepared pages, without the texts in them. */
  private record Preparing(BrandConfig brand, Language language, Page page, Set<String> names) {}

  private final Texts texts;
  private final TemplateEngine engine;
  private final String scriptSource = Style.source(SUBMIT_SCRIPT);
  private final LoadingCache<Style.Look, Style> styles = Caffeine.newBuilder().maximumSize(200).executor(Runnable::run).build(Style::of);
  private final Cache<Submitting, SubmitPage> submitPages = Caffeine.newBuilder().maximumSize(1000).executor(Runnable::run).build();
  private final Cache<Preparing, PreparedPage> prepared = Caffeine.newBuilder().maximumSize(1000).executor(Runnable::run).build();
  private final Cache<String, Origin> actionOrigins = Caffeine.newBuilder().maximumSize(1000).executor(Runnable::run).build();

  public ThymeleafPages() {
    ClassLoader loader = ThymeleafPages.class.getClassLoader();
    this.texts = Texts.load(loader);
    StringTemplateResolver own = new OwnTemplates();
    own.setTemplateMode(TemplateMode.HTML);
    own.setCacheable(true);
    own.setOrder(1);
    ClassLoaderTemplateResolver templates = new ClassLoaderTemplateResolver(loader);
    templates.setPrefix("pages/");
    templates.setSuffix(".html");
    templates.setTemplateMode(TemplateMode.HTML);
    templates.setCharacterEncoding("UTF-8");
    templates.setCacheable(true);
    templates.setOrder(2);
    this.engine = new TemplateEngine();
    engine.setTemplateResolvers(Set.of(own, templates));
    engine.setMessageResolver(new TextResolver(texts));
  }

  @Override
  public EdgeReply render(EdgeRequest request, Optional<Realm> realm, Page page) {
    Language language = Language.preferred(request.headers().first("Accept-Language"));
    return render(realm.map(Realm::brand).orElse(NO_BRAND), language, page);
  }

  @Override
  public EdgeReply render(EdgeRequest request, Optional<Realm> realm, Page page, Map<String, String> texts) {
    Preparing key =
        new Preparing(
            realm.map(Realm::brand).orElse(NO_BRAND),
            Language.preferred(request.headers().first("Accept-Language")),
            page,
            Set.copyOf(texts.keySet()));
    return prepared.get(key, this::prepare).fill(texts);
  }

  private PreparedPage prepare(Preparing key) {
    return PreparedPage.of(key.names(), placeholders -> lean(key.brand(), key.language(), key.page().with(placeholders)));
  }

  private EdgeReply render(BrandConfig brand, Language language, Page page) {
    return page.policy().autoSubmit()
        ? lean(brand, language, page)
        : styled(html(brand, language, page), styles.get(Style.Look.of(brand)), language, page);
  }

  /** Renders with only the needed style rules: every sign-on sends such a page, and half of it would be unused rules. */
  private EdgeReply lean(BrandConfig brand, Language language, Page page) {
    String html = html(brand, language, page);
    return styled(html, styles.get(Style.Look.of(brand)).onlyFor(html), language, page);
  }

  private String html(BrandConfig brand, Language language, Page page) {
    Map<String, Object> model = PlainData.of(page.model(), language);
    Map<String, Object> frame =
        Map.of(
            "brand", brand, "language", language.tag(), "submitsItself", page.policy().autoSubmit(), "scripts", page.policy().scripts());
    model.putAll(PlainData.of(frame, language));
    model.put(OWN_TEXTS, brand.theme().texts().getOrDefault(language.tag(), Map.of()));
    Context context = new Context(language.locale(), model);
    return Optional.ofNullable(brand.theme().templates().get(page.template()))
        .flatMap(own -> own(page.template(), own, context))
        .orElseGet(() -> engine.process(page.template(), context));
  }

  /** Returns a realm's own page; empty if its template fails: then people see ours, and can log in. */
  private Optional<String> own(String name, String template, Context context) {
    try {
      return Optional.of(engine.process(template, context));
    } catch (TemplateEngineException e) {
      LOG.warn("The realm's own template of the page {} failed; ours is shown: {}", name, String.valueOf(e.getCause()));
      return Optional.empty();
    }
  }

  private EdgeReply styled(String html, Style style, Language language, Page page) {
    String body = html.replace(STYLE_PLACEHOLDER, "<style>" + style.css() + "</style>");
    return new EdgeReply(page.status(), headers(page.policy(), language, style), body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public EdgeReply error(EdgeRequest request, Optional<Realm> realm, int status, String kind, String reference) {
    return error(request, realm, status, kind, reference, "");
  }

  @Override
  public EdgeReply error(
      EdgeRequest request, Optional<Realm> realm, int status, String kind, String reference, String reason) {
    if (!request.isNavigation()) {
      return json(status, kind, reference);
    }
    // A kind without a text is a bug of ours; the person still gets a page.
    String known = texts.find(Language.ENGLISH, "error." + kind + ".title").isPresent() ? kind : "internal";
    return render(request, realm, Page.of(status, "error", Map.of("kind", known, "reference", reference, "reason", reason)));
  }

  @Override
  public EdgeReply autoSubmit(
      EdgeRequest request, Optional<Realm> realm, SamlWriter.PostForm form, List<String> framedBy) {
    // Throws for anything but http(s): a partner's metadata must not make us run its script.
    Objects.requireNonNull(actionOrigins.get(form.action(), action -> Origin.of(URI.create(action))));
    Submitting page =
        new Submitting(
            realm.map(Realm::brand).orElse(NO_BRAND),
            Language.preferred(request.headers().first("Accept-Language")),
            form.parameter(),
            form.relayState().isPresent(),
            List.copyOf(framedBy));
    return submitPages.get(page, p -> SubmitPage.of(form, example -> submitPage(p, example))).fill(form);
  }

  private EdgeReply submitPage(Submitting page, SamlWriter.PostForm form) {
    Page.Policy policy = new Page.Policy(List.of(), page.framedBy(), true, 0);
    return lean(page.brand(), page.language(), new Page(200, "submit", Map.of("form", form), policy));
  }

  private static EdgeReply json(int status, String kind, String reference) {
    return EdgeReply.json(status, new JsonText().text("error", kind).text("reference", reference))
        .with("Cache-Control", "no-store")
        .with("X-Content-Type-Options", "nosniff");
  }

  private Headers headers(Page.Policy policy, Language language, Style style) {
    List<Headers.Field> fields = new ArrayList<>();
    fields.add(new Headers.Field("Content-Type", "text/html;charset=utf-8"));
    fields.add(new Headers.Field("Content-Language", language.tag()));
    fields.add(new Headers.Field("Content-Security-Policy", contentSecurityPolicy(policy, style)));
    fields.add(new Headers.Field("X-Content-Type-Options", "nosniff"));
    // Not no-referrer: with it browsers send "Origin: null" even from our own forms to ourselves (Fetch, section 3.1).
    // A partner that receives a form from us may know our origin, and some refuse "Origin: null".
    fields.add(new Headers.Field("Referrer-Policy", policy.autoSubmit() ? "strict-origin" : "same-origin"));
    fields.add(new Headers.Field("Cache-Control", "no-store"));
    // No Cross-Origin-Opener-Policy: it would separate an app that logs people in through a popup from that popup.
    fields.add(new Headers.Field("Cross-Origin-Resource-Policy", "same-origin"));
    if (policy.framedBy().isEmpty()) {
      fields.add(new Headers.Field("X-Frame-Options", policy.sandboxed() ? "SAMEORIGIN" : "DENY"));
    }
    if (policy.refreshSeconds() > 0) {
      fields.add(new Headers.Field("Refresh", Integer.toString(policy.refreshSeconds())));
    }
    return Headers.of(fields);
  }

  /** CSP Level 3. */
  private String contentSecurityPolicy(Page.Policy policy, Style style) {
    if (policy.sandboxed()) {
      return "sandbox; default-src 'none'; base-uri 'none'; img-src data:; style-src " + style.source()
          + "; frame-ancestors 'self'; form-action 'none'";
    }
    StringBuilder csp = new StringBuilder("default-src 'none'; base-uri 'none'; img-src 'self' data:; style-src ");
    csp.append(style.source());
    if (!policy.scripts().isEmpty()) {
      csp.append(" 'self'; script-src 'self'; connect-src 'self'");
    }
    csp.append("; frame-ancestors ").append(policy.framedBy().isEmpty() ? "'none'" : origins(policy.framedBy()));
    if (!policy.frames().isEmpty()) {
      csp.append("; frame-src ").append(origins(policy.frames()));
    }
    // default-src does not cover form-action: without it a form may go anywhere.
    csp.append(policy.autoSubmit() ? "; script-src " + scriptSource : "; form-action 'self'");
    return csp.toString();
  }

  /** Normalises origins, so that no partner's URL can add a directive. */
  private static String origins(List<String> urls) {
    return urls.stream().map(url -> Origin.of(URI.create(url)).toString()).distinct().collect(Collectors.joining(" "));
  }

  /** Finds the templates of realms, which are texts themselves. A page's name does not begin like one. */
  private static final class OwnTemplates extends StringTemplateResolver {
    @Override
    protected boolean computeResolvable(
        IEngineConfiguration configuration, @Nullable String owner, String template, @Nullable Map<String, Object> attributes) {
      return template.startsWith("<");
    }
  }

  /** Resolves {@code #{key}} in templates: by the realm's own text, else by ours. */
  private static final class TextResolver extends AbstractMessageResolver {
    private final Texts texts;

    TextResolver(Texts texts) {
      this.texts = texts;
    }

    @Override
    public String resolveMessage(ITemplateContext context, Class<?> origin, String key, Object[] parameters) {
      Language language = context.getLocale().equals(Language.GERMAN.locale()) ? Language.GERMAN : Language.ENGLISH;
      Object[] arguments = parameters == null ? new Object[0] : parameters;
      Optional<String> own =
          context.getVariable(OWN_TEXTS) instanceof Map<?, ?> all && all.get(key) instanceof String text
              ? Optional.of(text)
              : Optional.empty();
      return own.map(text -> Texts.fill(text, arguments)).or(() -> texts.find(language, key, arguments)).orElse(key);
    }

    @Override
    public String createAbsentMessageRepresentation(
        ITemplateContext context, Class<?> origin, String key, Object[] parameters) {
      return key;
    }
  }
}
