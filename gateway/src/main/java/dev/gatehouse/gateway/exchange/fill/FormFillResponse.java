package dev.gatehouse.gateway.exchange.fill;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.gateway.fill.AppCookies;
import dev.gatehouse.gateway.fill.FormFillDecisions;
import dev.gatehouse.gateway.fill.FormFillDecisions.Page;
import dev.gatehouse.gateway.fill.FormFillDecisions.Person;
import dev.gatehouse.gateway.fill.HtmlType;
import dev.gatehouse.gateway.fill.PageAddress;
import dev.gatehouse.gateway.filter.HeaderEdits.Edit;
import dev.gatehouse.gateway.filter.OwnCookies;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.loop.BlockingTasks;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.stream.BodyCollector;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.Forwarding;
import dev.gatehouse.gateway.stream.ResponseSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes the app's response to a filled form: passes it on to the person with the cookies of both steps, or shows the
 * page that says that the login was not accepted. No cache may store any of it.
 */
final class FormFillResponse implements ResponseSink {

  private enum State {
    /** The response is read and discarded; another one is sent at its end. */
    REPLACED,
    /** A page that may say that the login failed. */
    HELD,
    PASSING
  }

  private final FormFillDecisions fills;
  private final GatewayEventLoop loop;
  private final ClientStream client;
  private final Forwarding exchange;
  private final PermittedRequest request;
  private final Person person;
  private final AppCookies cookies;
  private final PageAddress address;
  private final boolean json;
  private final String returnPath;

  private final BodyCollector page = new BodyCollector(FormFill.MAX);
  private State state = State.PASSING;
  private boolean refused;
  private @Nullable ResponseHead head;
  private ResponseEdits edits = ResponseEdits.IDENTIFIED;
  private Optional<HtmlType> type = Optional.empty();

  /**
   * @param fill the handler of the page with the form
   * @param exchange of the form's submission
   * @param cookies of the app, as the person's browser would hold them after that page
   * @param address to which the form was sent
   */
  FormFillResponse(FormFill fill, Forwarding exchange, AppCookies cookies, PageAddress address, boolean json) {
    this.fills = fill.fills();
    this.loop = fill.loop();
    this.client = fill.client();
    this.exchange = exchange;
    this.request = fill.asked();
    this.person = fill.person();
    this.cookies = cookies;
    this.address = address;
    this.json = json;
    this.returnPath = fill.returnPath();
  }

  @Override
  public void interim(ResponseHead interim) {
    // Early hints belong to a page that the browser did not request.
  }

  @Override
  public void head(ResponseHead response, ResponseEdits responseEdits) {
    fills.answered(person);
    head = response;
    edits = withCookies(response, responseEdits);
    type = FormRequests.value(response.fields(), "content-type").flatMap(HtmlType::of);
    FormFillConfig config = person.config();
    Optional<String> location = FormRequests.value(response.fields(), "location");
    refused = FormFillDecisions.isRefusal(config, response.status(), location);
    if (refused) {
      state = State.REPLACED;
    } else if (response.status() < 300 && type.isPresent()) {
      state = State.HELD;
    } else if (config.successUrl().isPresent() || json && response.status() < 300) {
      state = State.REPLACED;
    } else {
      client.head(response, edits);
    }
  }

  /** Adds the cookies that the form's page set, unless the response sets them again. */
  private ResponseEdits withCookies(ResponseHead response, ResponseEdits from) {
    List<Edit> added = new ArrayList<>();
    added.add(new Edit("Cache-Control", "no-store"));
    stillToSet(FormFill.cookies(response, from)).forEach(cookie -> added.add(new Edit("Set-Cookie", cookie)));
    return from.adding(added);
  }

  private List<String> stillToSet(List<String> answered) {
    return cookies.stillToSet(answered).stream()
        .filter(cookie -> !OwnCookies.setsOwn(cookie))
        .toList();
  }

  @Override
  public void data(ByteBuf data) {
    switch (state) {
      case REPLACED -> data.release();
      case PASSING -> client.data(data);
      case HELD -> {
        data.retain();
        if (page.add(data)) {
          data.release();
        } else {
          release();
          client.data(data);
        }
      }
    }
  }

  private void release() {
    state = State.PASSING;
    client.head(java.util.Objects.requireNonNull(head), edits);
    client.data(Unpooled.wrappedBuffer(page.toBytes()));
  }

  @Override
  public void flush() {
    if (state == State.PASSING) {
      client.flush();
    }
  }

  @Override
  public boolean isWritable() {
    return state != State.PASSING || client.isWritable();
  }

  @Override
  public void abort() {
    if (state == State.HELD) {
      release();
    }
    client.abort();
  }

  @Override
  public void end() {
    switch (state) {
      case PASSING -> client.end();
      case REPLACED -> replace(refused);
      case HELD -> {
        Page answer = new Page(page.toBytes(), type.flatMap(HtmlType::charset), address);
        BlockingTasks.call(
            loop.executor(),
            () -> fills.isRefusal(person, answer),
            this::answered,
            fault -> exchange.fault(request.to(), request.path(), request.route().name(), fault));
      }
    }
  }

  private void answered(boolean saysNo) {
    if (exchange.isClosed()) {
      return;
    }
    if (saysNo || person.config().successUrl().isPresent() || json) {
      replace(saysNo);
      return;
    }
    fills.seen(person);
    release();
    client.end();
  }

  private void replace(boolean saysNo) {
    if (saysNo) {
      client.reply(FormFill.to(request, fills.refused(person, returnPath)));
      return;
    }
    EdgeReply reply = FormFill.to(request, person.config().successUrl().orElse(returnPath));
    List<String> answered = FormFill.cookies(java.util.Objects.requireNonNull(head), edits);
    List<String> all = new ArrayList<>(stillToSet(answered));
    answered.stream().filter(c -> !OwnCookies.setsOwn(c)).forEach(all::add);
    for (String cookie : all) {
      reply = reply.with("Set-Cookie", cookie);
    }
    client.reply(reply);
  }
}
