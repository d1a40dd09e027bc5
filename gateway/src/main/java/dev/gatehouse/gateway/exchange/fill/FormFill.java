package dev.gatehouse.gateway.exchange.fill;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.authn.SessionCookie;
import dev.gatehouse.gateway.fill.AppCookies;
import dev.gatehouse.gateway.fill.FormFillDecisions;
import dev.gatehouse.gateway.fill.FormFillDecisions.Page;
import dev.gatehouse.gateway.fill.FormFillDecisions.Person;
import dev.gatehouse.gateway.fill.FormFillDecisions.Plan;
import dev.gatehouse.gateway.fill.FormFinder;
import dev.gatehouse.gateway.fill.HtmlType;
import dev.gatehouse.gateway.fill.LoginForm;
import dev.gatehouse.gateway.fill.PageAddress;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.loop.BlockingTasks;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.route.RequestPath;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.stream.BodyCollector;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.Forwarding;
import dev.gatehouse.gateway.stream.ResponseSink;
import dev.gatehouse.sp.secret.SecretsLocation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fills the login form of an app for a person who navigates through it: holds back a page that may contain the form; if
 * it does, submits the filled form and passes the app's response on to the person. Every other response passes
 * unchanged.
 */
public final class FormFill implements ResponseSink {

  /** Bytes of a page that is examined; a larger page is not a login page. */
  static final int MAX = 512 * 1024;

  private final FormFillDecisions fills;
  private final GatewayEventLoop loop;
  private final ClientStream client;
  private final Forwarding exchange;
  private final PermittedRequest request;
  private final Person person;
  private final FormFinder finder;
  private final FormRequests requests;

  private @Nullable ResponseHead held;
  private ResponseEdits edits = ResponseEdits.IDENTIFIED;
  private BodyCollector page = new BodyCollector(MAX);
  private Optional<HtmlType> type = Optional.empty();

  private FormFill(
      FormFillDecisions fills, RequestParser parser, GatewayEventLoop loop, ClientStream client, Forwarding exchange,
      PermittedRequest request, Person person) {
    this.fills = fills;
    this.loop = loop;
    this.client = client;
    this.exchange = exchange;
    this.request = request;
    this.person = person;
    this.finder = new FormFinder(person.config());
    this.requests = new FormRequests(parser);
  }

  /** Returns the handler if a form may be filled for this request. */
  public static Optional<FormFill> of(
      FormFillDecisions fills, RequestParser parser, GatewayEventLoop loop, ClientStream client, Forwarding exchange,
      PermittedRequest request) {
    var config = request.route().config().identity().formFill();
    if (config.isEmpty()
        || !(request.permit().subject() instanceof Subject.Person(var session))
        || !FormRequests.isNavigation(request.head())) {
      return Optional.empty();
    }
    Optional<SessionToken> token = SessionCookie.of(request.head().fields(), request.to().origin().isSecure());
    Person person = new Person(request.route().name(), config.get(), session, token, loop.time().instant());
    return Optional.of(new FormFill(fills, parser, loop, client, exchange, request, person));
  }

  /** The request as it is sent to the app. */
  public PermittedRequest request() {
    return finder.mayBe(request.path()) ? with(requests.wholePage(request.head()), request.path()) : request;
  }

  FormFillDecisions fills() {
    return fills;
  }

  GatewayEventLoop loop() {
    return loop;
  }

  ClientStream client() {
    return client;
  }

  /** The request for the page with the form. */
  PermittedRequest asked() {
    return request;
  }

  Person person() {
    return person;
  }

  private PermittedRequest with(RequestHead head, String path) {
    return new PermittedRequest(head, request.to(), request.route(), path, request.permit(), request.cookies());
  }

  @Override
  public void interim(ResponseHead head) {
    client.interim(head);
  }

  @Override
  public void head(ResponseHead head, ResponseEdits headEdits) {
    type = FormRequests.value(head.fields(), "content-type").flatMap(HtmlType::of);
    boolean plain = FormRequests.value(head.fields(), "content-encoding").filter(c -> !c.equalsIgnoreCase("identity")).isEmpty();
    if (type.isPresent() && plain && finder.mayBe(request.path(), head.status())) {
      held = head;
      edits = headEdits;
      return;
    }
    if (type.isPresent() && head.status() < 300) {
      fills.seen(person);
    }
    client.head(head, headEdits);
  }

  @Override
  public void data(ByteBuf data) {
    ResponseHead head = held;
    if (head == null) {
      client.data(data);
      return;
    }
    data.retain();
    if (page.add(data)) {
      data.release();
    } else {
      release(head);
      client.data(data);
    }
  }

  /** Passes the held page on to the person. */
  private void release(ResponseHead head) {
    held = null;
    client.head(head, edits);
    client.data(Unpooled.wrappedBuffer(page.toBytes()));
    page = new BodyCollector(0);
  }

  @Override
  public void trailers(Fields trailers) {
    if (held == null) {
      client.trailers(trailers);
    }
  }

  @Override
  public void flush() {
    if (held == null) {
      client.flush();
    }
  }

  @Override
  public boolean isWritable() {
    return client.isWritable();
  }

  @Override
  public void abort() {
    ResponseHead head = held;
    if (head != null) {
      release(head);
    }
    client.abort();
  }

  @Override
  public void end() {
    ResponseHead head = held;
    if (head == null) {
      client.end();
      return;
    }
    Page examined = new Page(page.toBytes(), type.flatMap(HtmlType::charset), address(request.path()));
    BlockingTasks.call(
        loop.executor(),
        () -> fills.plan(person, examined),
        plan -> {
          if (!exchange.isClosed()) {
            carryOut(plan, head);
          }
        },
        fault -> exchange.fault(request.to(), request.path(), request.route().name(), fault));
  }

  private PageAddress address(String path) {
    List<String> servers =
        request.route().upstream().members().stream()
            .map(member -> member.server().origin() + member.basePath())
            .toList();
    return new PageAddress(request.to().origin(), path, servers);
  }

  private void carryOut(Plan plan, ResponseHead head) {
    switch (plan) {
      case Plan.Pass pass -> {
        release(head);
        client.end();
      }
      case Plan.Ask(SecretsLocation.Why why) ->
          client.reply(to(request, SecretsLocation.address(person.config().app(), why, returnPath())));
      case Plan.Submit(LoginForm form, LoginForm.Body body) -> submit(form, body, head);
    }
  }

  /** Redirects, with the cookies of a session that was just opened. */
  static EdgeReply to(PermittedRequest request, String location) {
    EdgeReply reply = EdgeReply.seeOther(location).with("Cache-Control", "no-store");
    for (HeaderEdits.Edit cookie : request.cookies()) {
      reply = reply.with(cookie.name(), cookie.value());
    }
    return reply;
  }

  /** The cookies that an app's response sets, with the paths that the browser knows. */
  static List<String> cookies(ResponseHead answer, ResponseEdits edits) {
    return answer.fields().all(FieldName.SET_COOKIE).stream().map(edits::cookie).toList();
  }

  /** The address of the page with the form, to which the person returns. */
  String returnPath() {
    String query = request.head().query();
    return query.isEmpty() ? request.path() : request.path() + "?" + query;
  }

  private void submit(LoginForm form, LoginForm.Body body, ResponseHead head) {
    AppCookies cookies = new AppCookies(request.head().fields().all(FieldName.COOKIE));
    cookies.set(cookies(head, edits));
    String target = form.target();
    String path = target.contains("?") ? target.substring(0, target.indexOf('?')) : target;
    Optional<PermittedRequest> sent = onSameRoute(path)
        .flatMap(
            normal ->
                requests
                    .form(request.head(), request.to().origin(), request.path(), form, body, cookies.fieldFor(normal))
                    .map(made -> with(made, normal)));
    if (sent.isEmpty()) {
      // The target of the form is configured; so the configuration or the page is wrong, and nothing was sent.
      client.reply(to(request, fills.refused(person, returnPath())));
      return;
    }
    exchange.submit(
        sent.get(),
        body.bytes(),
        submission -> new FormFillResponse(this, submission, cookies, address(path), form.json()));
  }

  /**
   * The normalised path if it belongs to this very route: no other app may get the secret, and no stricter rule may be
   * bypassed.
   */
  private Optional<String> onSameRoute(String path) {
    byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
    Optional<RequestPath> normal = RequestPath.of(bytes, 0, bytes.length);
    return normal
        .filter(
            found ->
                request.to().site().routes().find(found, "POST") instanceof Match.Found(Route route)
                    && route.equals(request.route()))
        .map(RequestPath::value);
  }
}
