package dev.gatehouse.idp.otp.agent;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import dev.gatehouse.idp.otp.AskRates;
import dev.gatehouse.idp.otp.OfflineDays;
import dev.gatehouse.idp.otp.visit.Visits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What agents call. */
@Configuration(proxyBeanMethods = false)
public class AgentsConfig {

  /** The description of the interface, which anybody may read. */
  static final String DESCRIPTION = "otp/v1/openapi.json";

  /** The field of answers with the epoch of the realm's servers. */
  static final String EPOCH = "Gatehouse-Epoch";

  @Bean
  RouteGroup idpAgentRoutes(
      ClientAuthentications authentications, Visits passcodes, OfflineDays offline, OAuthReplies replies, AuditLog audit,
      RefusalLog refusals, InstantSource clock, Tokens tokens) {
    AgentRequests requests = new AgentRequests(authentications, new AskRates(clock));
    AgentEndpoint endpoint = new AgentEndpoint(requests, passcodes, offline, replies, audit, refusals);
    // Counted apart, so that an agent that asks about everybody it knows keeps nobody from logging in.
    AgentRequests upkeep = new AgentRequests(authentications, new AskRates(clock));
    OfflineDaysEndpoint days = new OfflineDaysEndpoint(upkeep, offline, replies, clock);
    OfflineUsesEndpoint uses = new OfflineUsesEndpoint(upkeep, offline, replies);
    byte[] description = description();
    Headers json = Headers.of(List.of(new Headers.Field("Content-Type", "application/json")));
    return RouteGroup.of(
        Route.post(AgentEndpoint.PATH, telling(tokens::epoch, replies.guarded(endpoint))),
        Route.post(OfflineDaysEndpoint.PATH, telling(tokens::epoch, replies.guarded(days))),
        Route.post(OfflineUsesEndpoint.PATH, telling(tokens::epoch, replies.guarded(uses))),
        Route.get(DESCRIPTION, telling(tokens::epoch, request -> new EdgeReply(200, json, description))));
  }

  /** Tells the epoch at which the answer was begun: a primary that learns meanwhile that it was replaced decided as the former one. */
  static Endpoint telling(Supplier<OptionalLong> present, Endpoint endpoint) {
    return request -> {
      OptionalLong epoch = present.get();
      EdgeReply reply = endpoint.handle(request);
      return epoch.isPresent() ? reply.with(EPOCH, String.valueOf(epoch.getAsLong())) : reply;
    };
  }

  static byte[] description() {
    try (InputStream in = AgentsConfig.class.getResourceAsStream("/otp/openapi.json")) {
      if (in == null) {
        throw new IllegalStateException("the description of the interface for agents is missing");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
