"""One thread for torch: on models this small a second one costs more time than it saves."""

import pytest
import torch


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    torch.set_num_threads(1)
