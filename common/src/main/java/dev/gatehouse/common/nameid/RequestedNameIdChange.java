package dev.gatehouse.common.nameid;

import dev.gatehouse.common.admin.AdminResource.PartnerNotification;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.nameid.ManageNameIdSender.Sending;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A change that an administrator requests, of a name that we gave or of a link.
 *
 * @param <S> the realm's identity provider or its service provider
 * @param <N> the name or the link
 */
public interface RequestedNameIdChange<S, N> {

  Sending make(AuditEvent.Context context, Realm realm, S side, N name);

  /** Makes the change; empty if the realm has no such side, or if there is no such name (any more). */
  static <S, N> Optional<PartnerNotification> make(
      Realms realms,
      String realm,
      Function<Realm, Optional<S>> side,
      Supplier<Optional<N>> name,
      RequestedNameIdChange<S, N> change) {
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    return realms
        .find(realm)
        .flatMap(
            found ->
                side.apply(found)
                    .flatMap(ours -> name.get().map(known -> change.make(context, found, ours, known))))
        .map(ManageNameIdSender::notification);
  }
}
