package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequest.Authentication;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequest.CodeBinding;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequest.LoginPage;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequest.Once;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequest.Wanted;
import dev.gatehouse.idp.oauth.OAuthError;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Encodes an {@link AuthorizationRequest} for its browser to carry. A typical OpenID request takes about 300 bytes. */
final class AuthorizationRequestCodec extends PackedCodec<AuthorizationRequest> {

  private static final int VERSION = 1;

  private static final int LOGIN = 1;
  private static final int REDIRECT_URI_NAMED = 2;
  private static final int ACR_ESSENTIAL = 4;

  AuthorizationRequestCodec() {
    super(VERSION);
  }

  @Override
  protected void write(PackedWriter out, AuthorizationRequest asked) {
    ResponseTarget reply = asked.reply();
    out.number(
        (asked.authentication().login() ? LOGIN : 0)
            | (reply.named() ? REDIRECT_URI_NAMED : 0)
            | (asked.authentication().acr().essential() ? ACR_ESSENTIAL : 0));
    out.text(asked.realm());
    out.text(asked.clientId());
    out.text(reply.redirectUri());
    out.text(reply.mode().name());
    out.optional(reply.state(), PackedWriter::text);
    out.number(bits(asked.types()));
    out.number(bits(asked.authentication().prompts()));
    texts(out, asked.wanted().scopes().stream().toList());
    texts(out, asked.wanted().resources());
    out.optional(asked.wanted().nonce(), PackedWriter::text);
    out.optional(asked.binding().codeChallenge(), PackedWriter::text);
    out.optional(asked.binding().dpopThumbprint(), PackedWriter::text);
    out.optional(asked.wanted().claims(), (o, claims) -> o.text(claims.json()));
    texts(out, asked.authentication().acr().values());
    out.optional(asked.authentication().maxAge(), (o, age) -> o.number(age.toSeconds()));
    out.optional(asked.authentication().hintedSubject(), PackedWriter::text);
    out.optional(asked.loginPage().hint(), PackedWriter::text);
    texts(out, asked.loginPage().uiLocales());
    out.instant(asked.receivedAt());
    out.optional(asked.once().pushed(), PackedWriter::text);
    out.optional(asked.once().resumed(), PackedWriter::text);
  }

  @Override
  protected AuthorizationRequest read(PackedReader in) {
    long flags = in.number();
    String realm = in.text();
    String clientId = in.text();
    String redirectUri = in.text();
    ResponseMode mode = ResponseMode.valueOf(in.text());
    ResponseTarget reply =
        new ResponseTarget(redirectUri, (flags & REDIRECT_URI_NAMED) != 0, mode, in.optional(PackedReader::text));
    Set<ResponseType> types = of(in.number(), ResponseType.class);
    Set<Prompt> prompts = of(in.number(), Prompt.class);
    Set<String> scopes = new LinkedHashSet<>(in.list(PackedReader::text));
    List<String> resources = in.list(PackedReader::text);
    Optional<String> nonce = in.optional(PackedReader::text);
    CodeBinding binding = new CodeBinding(in.optional(PackedReader::text), in.optional(PackedReader::text));
    Wanted wanted = new Wanted(scopes, resources, nonce, in.optional(o -> claims(o.text())));
    Authentication authentication =
        new Authentication(
            new AcrValues(in.list(PackedReader::text), (flags & ACR_ESSENTIAL) != 0),
            prompts,
            in.optional(o -> Duration.ofSeconds(o.number())),
            in.optional(PackedReader::text),
            (flags & LOGIN) != 0);
    LoginPage loginPage = new LoginPage(in.optional(PackedReader::text), in.list(PackedReader::text));
    Instant receivedAt = in.instant();
    Once once = new Once(in.optional(PackedReader::text), in.optional(PackedReader::text));
    return new AuthorizationRequest(
        realm, clientId, reply, types, wanted, binding, authentication, loginPage, receivedAt, once);
  }

  private static void texts(PackedWriter out, List<String> texts) {
    out.list(texts, PackedWriter::text);
  }

  /** Parses the same text again that was parsed when the request arrived. */
  private static ClaimsParameter claims(String json) {
    return switch (ClaimsParameter.parse(json)) {
      case Result.Accepted(ClaimsParameter claims) -> claims;
      case Result.Refused<ClaimsParameter, OAuthError> refused -> throw new IllegalArgumentException("claims cannot be read");
    };
  }

  private static <E extends Enum<E>> long bits(Set<E> values) {
    return values.stream().mapToLong(value -> 1L << value.ordinal()).sum();
  }

  private static <E extends Enum<E>> Set<E> of(long bits, Class<E> type) {
    Set<E> values = EnumSet.allOf(type);
    values.removeIf(value -> (bits & 1L << value.ordinal()) == 0);
    return values;
  }
}
