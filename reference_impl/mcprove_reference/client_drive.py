"""What the drivers have in common: they take the steps of a talk, one after the other, and close in the end."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import anyio

from mcprove_reference.client_steps import Ask, Done, Tell, Unusable

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from mcprove_reference.client_steps import Event, Outgoing, Step, T, Talk

Note = Callable[[str], None]


class Driver(Protocol):
    """Carries messages to one server."""

    def parts(self) -> tuple[object, ...]:
        """Return the objects whose methods a fault can replace."""

    async def start(self, tasks: TaskGroup) -> None:
        """Get ready; what has to run beside the talk goes into ``tasks``."""

    async def ask(self, ask: Ask) -> Event:
        """Send a request and return what comes of it, after ``ask.patience`` seconds at most."""

    async def tell(self, message: Outgoing) -> None:
        """Send a message that gets no answer."""

    async def restart(self) -> None:
        """Start the server again."""

    async def close(self) -> None:
        """Leave nothing behind."""


async def run(talk: Talk[T], driver: Driver, note: Note) -> T:
    """Take the steps of a talk to its end, or to a signal, and return what it returns.

    Raises:
        Unusable: the server could not be used.

    """
    outcome: T | Unusable = Unusable("interrupted")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_on_signal, tasks.cancel_scope)
        try:
            await driver.start(tasks)
            outcome = await _drive(talk, driver, note)
        except Unusable as problem:
            outcome = problem
        finally:
            with anyio.CancelScope(shield=True):
                await driver.close()
        tasks.cancel_scope.cancel()
    if isinstance(outcome, Unusable):
        raise outcome
    return outcome


async def _drive(talk: Talk[T], driver: Driver, note: Note) -> T:
    try:
        step = next(talk)
        while True:
            note(str(step))
            event = await _take(step, driver)
            note(f"<- {event}")
            step = talk.send(event)
    except StopIteration as end:
        result: T = end.value
        return result


async def _take(step: Step, driver: Driver) -> Event:
    if isinstance(step, Ask):
        return await driver.ask(step)
    await (driver.tell(step.message) if isinstance(step, Tell) else driver.restart())
    return Done()


async def _stop_on_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()
